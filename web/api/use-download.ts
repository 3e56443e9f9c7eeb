import { useState } from 'react';
import type { z } from 'zod';
import type { Call, CallInput } from '#contract/call.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction } from '#web/api/use-call.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** A call whose reply contains a download address. */
type DownloadCall = Call & { reply: z.ZodObject<{ downloadUrl: z.ZodString }> };

export interface Downloads<Thing> {
  download: (thing: Thing) => void;
  /** The id of the running download. */
  current: string | null;
}

/** Downloads files of one kind, one at a time, and shows a notification when done. */
export function useDownload<C extends DownloadCall, Thing>(
  definition: C,
  of: {
    id: (thing: Thing) => string;
    input: (thing: Thing) => CallInput<C>;
    fileName: (thing: Thing) => string;
    done: (thing: Thing) => string;
    failed: () => string;
  },
): Downloads<Thing> {
  const [current, setCurrent] = useState<string | null>(null);
  const action = useAction(definition, { onFailed: (failure) => notifyFailure(of.failed(), failure.message) });

  async function download(thing: Thing): Promise<void> {
    if (current !== null) return;
    setCurrent(of.id(thing));
    const reply = await action.run(of.input(thing));
    setCurrent(null);
    if (reply === null) return;
    startDownload(reply.downloadUrl, of.fileName(thing));
    notifyDone(of.done(thing));
  }

  return { download: (thing) => void download(thing), current };
}
