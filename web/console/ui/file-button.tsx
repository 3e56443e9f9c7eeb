import { Download } from 'lucide-react';
import { useState } from 'react';
import { type RepliedFile, saveReplied } from '#web/console/ui/save-replied.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

/** Saves a file of a row. `of`: what the row is about. */
export function FileButton({ label, of, read }: { label: string; of: string; read: () => Promise<RepliedFile> }) {
  const [running, setRunning] = useState(false);

  async function save(): Promise<void> {
    setRunning(true);
    await saveReplied(label, read);
    setRunning(false);
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
