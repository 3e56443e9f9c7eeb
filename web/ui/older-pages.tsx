import { Button } from '@mantine/core';
import classes from '#web/ui/older-pages.module.css';

/** Goes through a list from the newest on. `places`: after which the pages begin that were asked for, the last one being shown. */
export function OlderPages<Place>({
  places,
  next,
  onChange,
  words,
}: {
  places: readonly Place[];
  /** Null: there are no older ones. */
  next: Place | null;
  onChange: (places: readonly Place[]) => void;
  words: { newest: string; older: string };
}) {
  return (
    <div className={classes.pages}>
      {places.length > 0 && (
        <Button variant="default" size="xs" onClick={() => onChange([])}>
          {words.newest}
        </Button>
      )}
      {next !== null && (
        <Button variant="default" size="xs" onClick={() => onChange([...places, next])}>
          {words.older}
        </Button>
      )}
    </div>
  );
}
