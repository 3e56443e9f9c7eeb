import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#web/ui/section.module.css';

/** A part of a page with its heading. `line`: the heading is followed by a hairline. */
export function Section({
  title,
  end,
  line = false,
  children,
}: {
  title: string;
  end?: ReactNode;
  line?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={classes.section}>
      <div className={classes.head} data-line={line}>
        <Title order={2}>{title}</Title>
        {end}
      </div>
      {children}
    </section>
  );
}
