import { ActionIcon, Button, FileButton, Input } from '@mantine/core';
import { Paperclip, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { chosenFileTypes } from '#shared/domain/support-file.ts';
import { type ChosenFile, readFiles } from '#web/forms/chosen-files.ts';
import classes from '#web/forms/files-input.module.css';

/** Chooses files for a message. */
export function FilesInput({
  label,
  hint,
  files,
  onChange,
  remove,
  fault,
}: {
  label: string;
  hint: ReactNode;
  files: readonly ChosenFile[];
  onChange: (files: readonly ChosenFile[]) => void;
  /** The name of the button that takes a file back. */
  remove: (name: string) => string;
  /** What is said of files that can't be sent. */
  fault: string;
}) {
  const [isRefused, setRefused] = useState(false);

  async function choose(chosen: readonly File[]): Promise<void> {
    const read = await readFiles(files, chosen);
    setRefused(read === undefined);
    if (read !== undefined) onChange(read);
  }

  return (
    <Input.Wrapper description={hint} error={isRefused && fault} inputWrapperOrder={['input', 'description', 'error']}>
      <div className={classes.files}>
        <FileButton multiple accept={chosenFileTypes} onChange={(chosen) => void choose(chosen)}>
          {(button) => (
            <Button {...button} variant="default" size="xs" leftSection={<Paperclip size={14} aria-hidden="true" />}>
              {label}
            </Button>
          )}
        </FileButton>
        {files.map((file) => (
          <span key={file.id} className={classes.file}>
            {file.name}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={remove(file.name)}
              onClick={() => onChange(files.filter((each) => each !== file))}
            >
              <X size={14} />
            </ActionIcon>
          </span>
        ))}
      </div>
    </Input.Wrapper>
  );
}
