// A spectator that shares no code with nodealer: js-libp2p, and specs/08-node.md read once more.
//
//     node spectator.mjs ADDRESS PEER-ID TABLE
//
// It dials a node with Noise and yamux over TCP, opens a link, asks for the history of the table, and
// writes a line for each thing that it learns:
//
//     entry HEIGHT ID         of every entry, the ids computed from the contents
//
// It asks for identify too, as nodes of js-libp2p do by themselves: a node of ours speaks no such
// thing, and says so, and nothing else comes of it.
//
// It leaves once it has seen the closing entry. Whoever runs it starts it anew if there is no answer.

import { createHash, randomBytes } from 'node:crypto'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { identify } from '@libp2p/identify'
import { tcp } from '@libp2p/tcp'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { decode, encode } from './cbor.mjs'

const VERSION = 1
const PROTOCOL = '/nodealer/link/1'
const [address, peerId, table] = process.argv.slice(2)

const node = await createLibp2p({
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()],
  services: { identify: identify() },
})

const connection = await node.dial(multiaddr(`${address}/p2p/${peerId}`))
const stream = await connection.newStream(PROTOCOL)
const run = randomBytes(16)
const leads = Buffer.compare(
  Buffer.from(node.peerId.publicKey.raw),
  Buffer.from(connection.remotePeer.publicKey.raw),
) < 0
let sent = 0
let taken = 0
let lastId = null

function say(head, payload = Buffer.alloc(0)) {
  const body = Buffer.concat([encode([VERSION, ...head]), payload])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  stream.send(Buffer.concat([length, body]))
}

function sayHello(other, turn) {
  say(['link/hello', run, other, taken, turn])
}

function follow() {
  sent += 1
  say(['link/data', sent, taken], encode([VERSION, 'node/follow', Buffer.from(table, 'hex'), 0]))
}

// What the other end says, by the kind of the frame.
const heard = {
  'link/hello': ([own, , , turn]) => {
    if (!leads) sayHello(own, turn)
    follow()
  },
  'link/data': ([number], payload) => {
    if (number !== taken + 1) throw new Error(`payload ${number} after ${taken}`)
    taken = number
    say(['link/ack', taken])
    readEnvelope(payload)
  },
  'link/ack': () => {},
  'link/ping': ([token]) => say(['link/pong', token]),
  'link/pong': () => {
    throw new Error('a pong to no ping')
  },
  'link/bye': () => leave(1),
}

function readEnvelope(payload) {
  const [[version, kind, of], end] = decode(payload)
  if (version !== VERSION || of.toString('hex') !== table) throw new Error(`what is ${kind}?`)
  if (kind === 'node/absent') leave(1)
  if (kind === 'node/table') readLetter(payload.subarray(end))
}

function readLetter(letter) {
  const [[, kind, content]] = decode(letter)
  if (kind !== 'ledger/entry') return
  const [of, height, parent, step] = content
  if (of.toString('hex') !== table) throw new Error('an entry of another table')
  if (lastId !== null && !lastId.equals(parent)) throw new Error(`no parent at ${height}`)
  lastId = createHash('sha256').update(encode(['nodealer/1/content', content])).digest()
  console.log('entry', height, lastId.toString('hex'))
  if (step[0] === 'due' && step[1].some((part) => part[1] === 'close')) leave(0)
}

function leave(code) {
  say(['link/bye'])
  process.exitCode = code
  setTimeout(() => process.exit(code), 200)
}

let rest = Buffer.alloc(0)
stream.addEventListener('message', (event) => {
  rest = Buffer.concat([rest, Buffer.from(event.data.subarray())])
  while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
    const body = rest.subarray(4, 4 + rest.readUInt32BE(0))
    rest = rest.subarray(4 + body.length)
    const [[version, kind, ...fields], end] = decode(body)
    if (version !== VERSION || heard[kind] === undefined) throw new Error(`a frame ${kind}`)
    heard[kind](fields, body.subarray(end))
  }
})
if (leads) sayHello(null, 1)
