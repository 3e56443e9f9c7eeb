const requestId = /(?<![\w-])req_[\w-]{10}-[\w-]{10}(?![\w-])/;

/** A request id as the gateway makes them, and nothing else. */
export function isRequestId(text: string): boolean {
  return new RegExp(`^${requestId.source}$`).test(text);
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
  for (const [index, part] of text.split(new RegExp(`(${requestId.source})`)).entries()) {
    if (part !== '') parts.push({ text: part, isRequestId: index % 2 === 1, at });
    at += part.length;
  }
  return parts;
}
