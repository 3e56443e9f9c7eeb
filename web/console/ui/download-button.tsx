import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ExportName, OperatorInput } from '#shared/contract/operator/calls.ts';
import { readFile } from '#web/console/api/read-file.ts';
import { rereadAll } from '#web/console/api/use-operator-call.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { saveBlob } from '#web/ui/save-file.ts';
import { sizeText } from '#web/ui/size-text.ts';

/** Saves the file of a call, and tells how much of it has come. `of`: what it is a file of, for its accessible name. */
export function DownloadButton<Name extends ExportName>({
  call,
  input,
  of,
}: {
  call: Name;
  input: OperatorInput<Name>;
  of: string;
}) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [bytes, setBytes] = useState<number | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  if (!may(call)) return null;

  async function save(): Promise<void> {
    const leave = new AbortController();
    leaving.current = leave;
    setBytes(0);
    let came = 0;
    const onBytes = (now: number) => setBytes((came = now));
    try {
      const { name, content } = await readFile(call, input, { signal: leave.signal, onBytes });
      saveBlob(content, name);
      // One at a time: several would cover the buttons of the next files.
      notifyDone(`${name} is saved`, undefined, 'file is saved');
      await rereadAll(queryClient);
    } catch (error) {
      if (leave.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      const broken = came > 0 ? `It broke off after ${sizeText(came)}, and nothing was saved. ` : '';
      notifyFailure(`${of} could not be downloaded`, `${broken}${message}`);
    } finally {
      if (!leave.signal.aborted) setBytes(null);
    }
  }

  return (
    <ActionButton
      variant="default"
      size="xs"
      leftSection={<Download size={14} />}
      running={bytes !== null}
      aria-label={bytes === null || bytes === 0 ? `Download: ${of}` : `Download: ${of}, ${sizeText(bytes)} so far`}
      onClick={() => void save()}
    >
      {bytes === null || bytes === 0 ? 'Download' : sizeText(bytes)}
    </ActionButton>
  );
}
