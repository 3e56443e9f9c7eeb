import { Button, type ButtonProps, type ElementProps, Loader } from '@mantine/core';

interface ActionButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** Is what it starts under way? */
  running: boolean;
}

/** A button that starts something. While that runs it cannot be pressed again, and a turning ring stands where its icon stood. */
export function ActionButton({ running, disabled, leftSection, ...button }: ActionButtonProps) {
  return (
    <Button
      {...button}
      disabled={running || disabled === true}
      leftSection={running ? <Loader color="currentColor" /> : leftSection}
    />
  );
}
