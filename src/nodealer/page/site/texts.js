// @ts-check
// The texts of the dialogue, as far as the page reads them: types, and nothing that runs.

/**
 * @typedef {{card: number, face?: string, says?: string, name?: string, remark?: string, look?: unknown,
 *   can?: boolean, picked?: boolean}} Card
 * @typedef {{name: string, seat: number | null, is_own: boolean, says: string, count: number,
 *   cards: Card[]}} Zone
 * @typedef {{way: string, round_trip_us: number | null, says: string[]}} Reach
 * @typedef {{seat: number, name: string, mark: string, cards: number, sitting: string,
 *   is_you: boolean, is_bot: boolean, is_program: boolean, is_muted: boolean, has_turn: boolean, awaited: string | null,
 *   reach: Reach}} Seat
 * @typedef {{kind: string, says: string}} Kind
 * @typedef {{about: string, says: string, options: string[]}} Asked
 * @typedef {{kinds: Kind[], kind: string | null, picked: number[], asked: Asked | null,
 *   play: {action: number, says: string} | null}} Choice
 * @typedef {{says: string, why: string, shares: [number, string][]}} Progress
 * @typedef {{last: number, says: string[], signed: string[], proven: string[], hands: string[],
 *   seat: number | null, verdict: string}} Recording
 * @typedef {{is: "table", title: string, mark: string, game: string, games: number, height: number,
 *   now: number, state: string, headline: string, is_asked: boolean,
 *   patience: {suspended: number, until: number, passes_at?: number} | null, waits: string[], standing: string[],
 *   status: string[], progress: Progress | null, may_put_away: boolean, may_again: boolean,
 *   may_wish_again: boolean, wishes_again: string, notices: {kind: string, says: string[]}[], seats: Seat[], zones: Zone[],
 *   choice: Choice, recording?: Recording}} Table
 * @typedef {{at: [number, number], height: number, tone: string, text: string}} LogLine
 * @typedef {{seat: number, number: number, text: string}} ChatLine
 * @typedef {{name: string, says: string, default: string | number | boolean, choices: string[],
 *   least: number | null, most: number | null}} GameOption
 * @typedef {{id: string, title: string, says: string, seats: [number, number], options: GameOption[],
 *   policies: string[]}} Game
 * @typedef {{name: string, says: string}} Named
 * @typedef {{mark: string, game: string, players: string, stands: string, is_lobby: boolean,
 *   is_over: boolean, when: string}} TableListed
 * @typedef {{name: string, words: string, says: string}} Person
 * @typedef {{is: "home", name: string, games: Game[], tables: TableListed[], people: Person[],
 *   clocks: Named[], policies: Named[], problem: string, invite: string}} Home
 * @typedef {{name: string, says: string, words: string, is_you: boolean, has_accepted: boolean,
 *   is_program: boolean, is_suspect: boolean}} SeatOffered
 * @typedef {{name: string, mark: string, number: number, text: string, is_you: boolean}} SaidInLobby
 * @typedef {{name: string, value: string, before: string | null}} Term
 * @typedef {{game: Game, seats: number, clock: string, policy: string, clocks: Named[],
 *   policies: Named[]}} Changeable
 * @typedef {{is: "lobby", mark: string, game: string, is_host: boolean, offer: number,
 *   headline: string, seats: SeatOffered[], terms: Term[], may_accept: boolean, may_start: boolean,
 *   may_take_back: boolean, warnings: string[], news: string[], compared: string, chat: SaidInLobby[], changeable: Changeable | null,
 *   invite: string, watch_invite: string, squares: string[]}} Lobby
 * @typedef {{is: "verdict", name: string, verdict: string, says: string[], culprit: string | null,
 *   checks: {check: string, passed: number, failed: number, not_run: number}[]}} Verdict
 * @typedef {Home | Lobby | Table} Shown
 * @typedef {{to: number | null, refused?: string, says?: string}} Answer
 * @typedef {(what: string, fields?: Record<string, unknown>) => Promise<Answer>} Wish
 */

export {};
