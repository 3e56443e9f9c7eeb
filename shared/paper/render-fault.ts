const messages = {
  busy: 'Too many documents are queued for printing. Try again in a moment.',
  'too-slow': 'Printing was stopped because this document took too long. Try again with fewer lines.',
  'too-large': 'Printing was stopped because this document needed too much memory. Try again with fewer lines.',
  crashed: 'Printing this document failed on our side. Try again.',
  stopping: 'The service is restarting. Try again in a moment.',
} as const;

/** Why a document was not rendered: refused before it started (`busy`, `stopping`), or failed together with its worker. */
export type RenderFaultReason = keyof typeof messages;

/** Thrown when the renderer did not finish a document; `message` is for the caller. Nothing was stored, so retrying is safe. */
export class RenderFault extends Error {
  override readonly name = 'RenderFault';
  readonly reason: RenderFaultReason;

  constructor(reason: RenderFaultReason) {
    super(messages[reason]);
    this.reason = reason;
  }
}
