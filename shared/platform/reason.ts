/** The reason of an error in one line, with that of the error beneath it. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ');
  if (!(error instanceof Error)) return String(error);
  const own = error.message.replaceAll(/\s+/g, ' ').trim();
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`;
}
