import { useRef, useState } from 'react';
import type { z } from 'zod';
import type { Call, CallInput } from '#shared/contract/call.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction } from '#web/api/use-call.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** A call whose reply contains a download address. */
type DownloadCall = Call & { reply: z.ZodType<{ downloadUrl?: string | undefined }> };

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
    /** What is said then; undefined: the file says it. */
    done: (thing: Thing, hasFile: boolean) => string | undefined;
    failed: () => string;
  },
): Downloads<Thing> {
  const [current, setCurrent] = useState<string | null>(null);
  const asked = useRef<Thing>(undefined);
  const action = useAction(definition, {
    onDone: ({ downloadUrl }) => {
      if (asked.current === undefined) return;
      if (downloadUrl !== undefined) startDownload(downloadUrl, of.fileName(asked.current));
      const done = of.done(asked.current, downloadUrl !== undefined);
      if (done !== undefined) notifyDone(done);
    },
    onFailed: (failure) => notifyFailure(of.failed(), failure.message),
  });

  async function download(thing: Thing): Promise<void> {
    if (current !== null) return;
    setCurrent(of.id(thing));
    asked.current = thing;
    await action.run(of.input(thing));
    setCurrent(null);
  }

  return { download: (thing) => void download(thing), current };
}
