const form = 'req_[\\w-]{10}-[\\w-]{10}';
const whole = new RegExp(`^${form}$`);
const within = new RegExp(`((?<![\\w-])${form}(?![\\w-]))`);

/** Does a text have the form of a request id as the gateway makes them? */
export function isRequestId(text: string): boolean {
  return whole.test(text);
}

export interface TextPart {
  text: string;
  isRequestId: boolean;
  /** Where it begins in the whole. */
  at: number;
}

/** A text cut at the request ids in it. */
export function splitAtRequestIds(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const [index, part] of text.split(within).entries()) {
    if (part !== '') parts.push({ text: part, isRequestId: index % 2 === 1, at });
    at += part.length;
  }
  return parts;
}
