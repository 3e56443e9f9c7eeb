import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import classes from '#web/ui/file-list.module.css';
import { sizeText } from '#web/ui/size-text.ts';

interface ListedFile {
  id: string;
  name: string;
  bytes: number;
}

/** Files that can be saved. None is shown in the page, whatever it is. */
export function FileList({
  label,
  files,
  onSave,
}: {
  label: string;
  files: readonly ListedFile[];
  onSave: (fileId: string) => void;
}) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={label}>
      {files.map(({ id, name, bytes }) => (
        <li key={id}>
          <Button
            variant="default"
            size="xs"
            leftSection={<Download size={14} aria-hidden="true" />}
            onClick={() => onSave(id)}
          >
            {name}, {sizeText(bytes)}
          </Button>
        </li>
      ))}
    </ul>
  );
}
