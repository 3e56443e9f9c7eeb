import { uiTexts } from '#web/ui/texts.ts';

/** Why the provider granted a plan; nothing for one that was bought or is free. */
export function GrantNote({ granted }: { granted: string | null }) {
  return granted === null ? null : <div className="caption soft">{uiTexts.grantedFor(granted)}</div>;
}
