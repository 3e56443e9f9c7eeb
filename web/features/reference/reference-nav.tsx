import { Button, TextInput } from '@mantine/core';
import { List, Search, X } from 'lucide-react';
import { useState } from 'react';
import { NavLink } from 'react-router';
import { type Operation, byTag, searchOperations } from '#web/features/reference/operations.ts';
import classes from '#web/features/reference/reference-nav.module.css';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';

interface ReferenceNavProps {
  productId: string;
  operations: readonly Operation[];
  current: Operation | undefined;
}

/** All endpoints under their tags, with a search. On a phone the list opens from a button. */
export function ReferenceNav({ productId, operations, current }: ReferenceNavProps) {
  const [words, setWords] = useState('');
  const [opened, setOpened] = useState(false);
  const found = searchOperations(operations, words);
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
        {opened ? texts.hideEndpoints : (current?.summary ?? texts.showEndpoints)}
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
        {byTag(found).map(({ tag, operations: members }) => (
          <div key={tag}>
            <div className={classes.tag} id={`tag-${tag}`}>
              {tag}
            </div>
            <ul aria-labelledby={`tag-${tag}`}>
              {members.map(({ id, method, summary }) => (
                <li key={id}>
                  <NavLink className={classes.link ?? ''} to={`/reference/${productId}/${id}`} onClick={close}>
                    <span className={classes.method}>{method}</span>
                    {summary}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <output className={classes.none}>{found.length === 0 ? texts.noneFound : null}</output>
      </div>
    </nav>
  );
}
