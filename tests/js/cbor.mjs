// The CBOR of specs/01-encoding.md, as much of it as a spectator meets: integers that fit a number,
// byte strings, text, arrays, and the three simple values.

export function encode(value) {
  if (value === null || value === false || value === true) {
    return Buffer.from([value === null ? 0xf6 : value ? 0xf5 : 0xf4])
  }
  if (typeof value === 'number') return head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  return Buffer.concat([head(2, value.length), value])
}

function head(major, number) {
  if (number < 24) return Buffer.from([(major << 5) | number])
  for (const [low, size] of [[24, 1], [25, 2], [26, 4]]) {
    if (number < 2 ** (8 * size)) {
      const bytes = Buffer.alloc(1 + size)
      bytes[0] = (major << 5) | low
      bytes.writeUIntBE(number, 1, size)
      return bytes
    }
  }
  throw new Error(`${number} is more than a spectator says`)
}

// The first item of some bytes, and where it ends.
export function decode(data, at = 0) {
  const major = data[at] >> 5
  const low = data[at] & 31
  at += 1
  let number = low
  if (low >= 24) {
    const size = 1 << (low - 24)
    number = Number(BigInt('0x' + data.subarray(at, at + size).toString('hex')))
    at += size
  }
  if (at > data.length) throw new Error('cut off')
  switch (major) {
    case 0: return [number, at]
    case 2: return [data.subarray(at, at + number), at + number]
    case 3: return [data.subarray(at, at + number).toString(), at + number]
    case 4: {
      const items = []
      for (let i = 0; i < number; i += 1) {
        const [item, end] = decode(data, at)
        items.push(item)
        at = end
      }
      return [items, at]
    }
    case 7: return [{ 20: false, 21: true, 22: null }[number], at]
  }
  throw new Error(`items of major type ${major} are nothing for a spectator`)
}
