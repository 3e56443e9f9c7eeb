import { supportTexts as texts } from '#web/features/support/texts.ts';
import type { ChosenFile } from '#web/forms/chosen-files.ts';
import { FilesInput } from '#web/forms/files-input.tsx';

/** The files of a message. */
export function FilesField({
  files,
  onChange,
}: {
  files: readonly ChosenFile[];
  onChange: (files: readonly ChosenFile[]) => void;
}) {
  return (
    <FilesInput
      label={texts.attach}
      hint={texts.attachHint}
      files={files}
      onChange={onChange}
      remove={texts.removeFile}
      fault={texts.filesRefused}
    />
  );
}
