/** A piece of JSON text and its kind: a key, a string, another value, or punctuation. */
export interface JsonToken {
  text: string;
  kind: 'key' | 'string' | 'value' | 'between';
  /** Where it begins in the text. */
  at: number;
}

const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b)/g;

/** Cuts JSON text into tokens to be coloured. Joined, they are the text again. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, string, colon] = match;
    if (match.index > end) tokens.push({ text: text.slice(end, match.index), kind: 'between', at: end });
    if (string === undefined) tokens.push({ text: whole, kind: 'value', at: match.index });
    else {
      tokens.push({ text: string, kind: colon === undefined ? 'string' : 'key', at: match.index });
      if (colon !== undefined) tokens.push({ text: colon, kind: 'between', at: match.index + string.length });
    }
    end = match.index + whole.length;
  }
  if (end < text.length) tokens.push({ text: text.slice(end), kind: 'between', at: end });
  return tokens;
}
