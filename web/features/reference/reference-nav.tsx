import { Button, TextInput } from '@mantine/core';
import { ChevronRight, List, Search, X } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { NavLink } from 'react-router';
import { type OperationEntry, byTag, searchOperations } from '#web/features/reference/operations.ts';
import { PartOfList, rowsAtOnce } from '#web/features/reference/part-of-list.tsx';
import classes from '#web/features/reference/reference-nav.module.css';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';

/** A longer list is folded under its tags. */
export const shownOperations = 60;

interface ReferenceNavProps {
  productId: string;
  operations: readonly OperationEntry[];
  current: OperationEntry | undefined;
}

/** All endpoints under their tags, with a search. On a phone the list opens from a button. */
export function ReferenceNav({ productId, operations, current }: ReferenceNavProps) {
  const [words, setWords] = useState('');
  const [opened, setOpened] = useState(false);
  // Typing stays fluent while a long list follows.
  const searched = useDeferredValue(words);
  const found = useMemo(() => searchOperations(operations, searched), [operations, searched]);
  const groups = useMemo(() => byTag(found), [found]);
  const isLong = operations.length > shownOperations;
  // A search that finds thousands opens the first tags only.
  const openedFrom = useMemo(() => openFirst(groups), [groups]);
  const close = () => setOpened(false);
  return (
    <nav className={classes.nav} aria-label={texts.endpoints} data-opened={opened}>
      <Button
        className={classes.opener ?? ''}
        variant="default"
        fullWidth
        justify="space-between"
        aria-expanded={opened}
        rightSection={opened ? <X size={16} aria-hidden /> : <List size={16} aria-hidden />}
        onClick={() => setOpened(!opened)}
      >
        {opened ? texts.hideEndpoints : texts.showEndpoints}
      </Button>
      <div className={classes.list}>
        <TextInput
          type="search"
          aria-label={texts.search}
          placeholder={texts.searchHint}
          leftSection={<Search size={16} aria-hidden />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <NavLink className={classes.link ?? ''} to={`/reference/${productId}`} end onClick={close}>
          {texts.overview}
        </NavLink>
        {groups.map(({ tag, operations: members }, index) => (
          <TagGroup
            // Opens when its operation is opened or a search finds it, whatever was opened by hand before.
            key={`${tag} ${searched === '' ? '' : openedFrom[index] ? 'found' : 'more'} ${members.some((each) => each === current) ? 'current' : ''}`}
            tag={tag}
            opened={!isLong || (searched !== '' && openedFrom[index]) || members.some((each) => each === current)}
            folds={isLong}
          >
            <PartOfList items={members} current={current}>
              {(some) => (
                <ul aria-label={tag}>
                  {some.map(({ id, method, summary }) => (
                    <li key={id}>
                      <NavLink className={classes.link ?? ''} to={`/reference/${productId}/${id}`} onClick={close}>
                        <span className={classes.method}>{method}</span>
                        {summary}
                      </NavLink>
                    </li>
                  ))}
                </ul>
              )}
            </PartOfList>
          </TagGroup>
        ))}
        <output className={classes.none}>{found.length === 0 ? texts.noneFound : null}</output>
      </div>
    </nav>
  );
}

/** Which groups a search opens: until that many rows are there. */
function openFirst(groups: readonly { operations: readonly unknown[] }[]): boolean[] {
  let rows = 0;
  return groups.map(({ operations }) => {
    const isOpen = rows < rowsAtOnce;
    rows += operations.length;
    return isOpen;
  });
}

interface TagGroupProps {
  tag: string;
  opened: boolean;
  folds: boolean;
  children: ReactNode;
}

/** The operations of a tag. Those of a long list are rendered when the tag is opened. */
function TagGroup({ tag, opened, folds, children }: TagGroupProps) {
  const [isOpen, setOpen] = useState(opened);
  if (!folds)
    return (
      <div>
        <div className={classes.tag}>{tag}</div>
        {children}
      </div>
    );
  return (
    <div>
      <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden />
        {tag}
      </button>
      {isOpen ? children : null}
    </div>
  );
}
