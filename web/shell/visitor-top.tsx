import type { ReactNode } from 'react';
import { Brand } from '#web/shell/brand.tsx';
import { LanguageSwitch } from '#web/shell/language-switch.tsx';
import classes from '#web/shell/visitor-top.module.css';

/** Above a page that a mail or a link leads to, without an account. `children`: beside the switch of the language. */
export function VisitorTop({ children }: { children?: ReactNode }) {
  return (
    <div className={classes['top']}>
      <span className={classes['brand']}>
        <Brand />
      </span>
      <span className={classes['tools']}>
        <LanguageSwitch />
        {children}
      </span>
    </div>
  );
}
