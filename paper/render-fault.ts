const messages = {
  busy: 'Too many documents are waiting to be printed. Try again in a moment.',
  'too-slow': 'This document took too long to print, so printing was stopped. Print it with fewer lines.',
  'too-large': 'This document needed too much memory to print, so printing was stopped. Print it with fewer lines.',
  crashed: 'Printing this document failed on our side. Try again.',
  stopping: 'The service is restarting. Try again in a moment.',
} as const;

/** Why a document was not rendered: refused before its turn (`busy`, `stopping`), or ended with its worker. */
export type RenderFaultReason = keyof typeof messages;

/** Thrown by a renderer that did not finish a document; `message` is for the caller. Nothing was kept, so a retry is safe. */
export class RenderFault extends Error {
  override readonly name = 'RenderFault';
  readonly reason: RenderFaultReason;

  constructor(reason: RenderFaultReason) {
    super(messages[reason]);
    this.reason = reason;
  }
}
