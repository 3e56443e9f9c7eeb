import { Download } from 'lucide-react';
import { useState } from 'react';
import { blobOf } from '#web/forms/base64.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveBlob } from '#web/ui/save-file.ts';

/** A file as a call replies it. */
interface RepliedFile {
  name: string;
  type: string;
  base64: string;
}

/** Saves a file of a row. `of`: what the row is about. */
export function FileButton({ label, of, read }: { label: string; of: string; read: () => Promise<RepliedFile> }) {
  const [running, setRunning] = useState(false);

  async function save(): Promise<void> {
    setRunning(true);
    try {
      const { name, type, base64 } = await read();
      saveBlob(blobOf(base64, type), name);
    } catch (error) {
      notifyFailure(`${label} could not be read`, error instanceof Error ? error.message : String(error));
    } finally {
      setRunning(false);
    }
  }
  return (
    <ActionButton
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<Download size={14} aria-hidden />}
      aria-label={`${label}: ${of}`}
      running={running}
      onClick={() => void save()}
    >
      {label}
    </ActionButton>
  );
}
