/** Where the events of a stream end. */

const [LF, CR, COLON] = [0x0a, 0x0d, 0x3a];
const DATA = Buffer.from('data');

/**
 * Whether an event ends in the next piece of the body. Server-sent events: a blank line ends one that has a
 * field `data`; without one, comments and other fields are ignored. A line ends with LF, CR or both.
 * Source: the HTML Standard, 9.2.6, "Interpreting an event stream".
 * @type {() => (piece: Uint8Array) => boolean}
 */
export function eventEnds() {
  let column = 0;
  // How many bytes of the field's name the line so far has; -1: it is another field.
  let matched = 0;
  let hasData = false;
  let isAfterCr = false;
  return (piece) => {
    let isEnd = false;
    for (const byte of piece) {
      const isBreak = byte === CR || (byte === LF && !isAfterCr);
      if (isBreak) {
        if (matched === DATA.length) hasData = true;
        if (column === 0) {
          isEnd ||= hasData;
          hasData = false;
        }
        [column, matched] = [0, 0];
      } else if (byte !== LF) {
        if (matched === DATA.length) {
          hasData ||= byte === COLON;
          matched = -1;
        } else if (matched >= 0) matched = byte === DATA[matched] ? matched + 1 : -1;
        column++;
      }
      isAfterCr = byte === CR;
    }
    return isEnd;
  };
}

/**
 * Bodies of other types: an event is a chunk, or what is read at once of a body without chunks.
 * @param {{ isChunked: boolean, body_bytes: number | null }} parser whose `body_bytes` are those that its
 *   chunk still lacks, with the piece
 * @returns {(piece: Uint8Array) => boolean}
 */
export function chunkEnds(parser) {
  return ({ length }) => !parser.isChunked || parser.body_bytes === length;
}
