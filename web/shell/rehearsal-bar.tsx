import { FlaskConical } from 'lucide-react';
import { portalConfig } from '#web/api/config.ts';
import { useLanguage } from '#web/language/use-language.ts';
import classes from '#web/shell/rehearsal-bar.module.css';
import { shellTexts as texts } from '#web/shell/texts.ts';

/** On every page of a rehearsal, which is production in all else. */
export function RehearsalBar() {
  useLanguage();
  if (!portalConfig().rehearsal) return null;
  return (
    <aside className={classes['bar']}>
      <FlaskConical size={16} aria-hidden="true" />
      {texts.rehearsal}
    </aside>
  );
}
