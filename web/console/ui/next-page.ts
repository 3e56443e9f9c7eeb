/** What asks for the page after a reply. */
export const nextPage =
  <Input extends object>(input: Input) =>
  ({ next }: { next: string | null }): (Input & { after: string }) | undefined =>
    next === null ? undefined : { ...input, after: next };
