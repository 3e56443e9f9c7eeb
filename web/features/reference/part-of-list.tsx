import { Button } from '@mantine/core';
import { type ReactNode, useContext, useState } from 'react';
import { formatNumber } from '#shared/domain/number-text.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { StaticPage } from '#web/ui/static-page.ts';

/** Rows of a long list that are rendered at once; a document may have thousands, which would freeze the page. */
export const rowsAtOnce = 100;

interface PartOfListProps<Item> {
  items: readonly Item[];
  /** Rendered too when it stands further down. */
  current?: Item | undefined;
  children: (shown: readonly Item[]) => ReactNode;
}

/** The first rows of a list, and a button for the next ones. */
export function PartOfList<Item>({ items, current, children }: PartOfListProps<Item>) {
  const [count, setCount] = useState(rowsAtOnce);
  const isStatic = useContext(StaticPage) !== null;
  const shown = items.slice(0, count);
  const isFurtherDown = current !== undefined && !shown.includes(current) && items.includes(current);
  const left = items.length - shown.length;
  if (isStatic) return children(items);
  return (
    <>
      {children(isFurtherDown ? [...shown, current] : shown)}
      {left > 0 ? (
        <Button variant="subtle" size="compact-sm" onClick={() => setCount(count + rowsAtOnce)}>
          {texts.showMore(formatNumber(Math.min(left, rowsAtOnce)), formatNumber(left))}
        </Button>
      ) : null}
    </>
  );
}
