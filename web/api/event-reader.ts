/** One server-sent event. */
export interface StreamEvent {
  name: string;
  data: string;
}

/** Reads server-sent events (WHATWG HTML §9.2) out of a text that comes in pieces; gives those that each piece completes. */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let line = '';
  let name = '';
  let data: string[] = [];
  let afterReturn = false;

  function endLine(): StreamEvent[] {
    const [field, value] = splitField(line);
    const isEnd = line === '';
    line = '';
    if (!isEnd) {
      if (field === 'event') name = value;
      else if (field === 'data') data.push(value);
      return [];
    }
    const event = { name: name === '' ? 'message' : name, data: data.join('\n') };
    const isEmpty = data.length === 0;
    name = '';
    data = [];
    return isEmpty ? [] : [event];
  }

  return (piece) => {
    const events: StreamEvent[] = [];
    for (const character of piece) {
      // \r\n is one end of a line, also when the network parts the two.
      if (character === '\r' || (character === '\n' && !afterReturn)) events.push(...endLine());
      else if (character !== '\n') line += character;
      afterReturn = character === '\r';
    }
    return events;
  };
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(':');
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
