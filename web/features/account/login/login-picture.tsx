import { Copy, CircleCheck, Download, KeyRound } from 'lucide-react';
import { loginTexts as texts } from '#web/features/account/login/texts.ts';
import classes from '#web/features/account/login/login-picture.module.css';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { portalConfig } from '#web/api/config.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { brandText } from '#web/shell/brand.tsx';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Shares of a daily quota, only to be looked at. */
const days = [60, 62, 67, 70, 48, 24, 78, 93, 97, 64, 58, 39, 21, 68, 75, 84, 92, 98, 83];

/** A preview of the portal. A picture: screen readers skip it. */
export function LoginPicture() {
  useLanguage();
  const { product } = portalConfig().brand.login;
  return (
    <section className={classes.panel} aria-hidden="true" inert>
      <div className={classes.rules} />
      <div className={classes.picture}>
        <div className={classes.use}>
          <div className={classes.between}>
            <div className={classes.service}>
              <ProductMark of={{ name: '', mark: { icon: product === null ? 'search' : 'code' } }} />
              <div>
                <div className={classes.name}>{product === null ? texts.picture.service : brandText(product)}</div>
                <div className="caption dim">{texts.picture.requests}</div>
              </div>
            </div>
            <StatusBadge status="PAID" />
          </div>
          <div className={classes.bars}>
            {days.map((height) => (
              <i key={height} style={{ height: `${height}%` }} />
            ))}
          </div>
          <div className={classes.cycle}>
            <span className="dim">{texts.picture.cycle}</span>
            <span className="num">
              <b className="strong">64,080</b> <span className="dim">/ 1,00,000</span>
            </span>
          </div>
          <QuotaMeter used={64_080} limit={100_000} label="" />
          <div className={classes.small}>
            <span>{texts.picture.day}</span>
            <span>{texts.picture.left}</span>
          </div>
        </div>
        <div className={classes.key}>
          <div className={classes.between}>
            <span className={classes.row}>
              <KeyRound size={16} />
              <span className="mono strong">{'prod1'}</span>
            </span>
            <StatusBadge status="ACTIVE" text={texts.picture.active} />
          </div>
          <div className={classes.secret}>
            <code>gstk_live_9f4c2e71b8••••••••••</code>
            <Copy size={16} />
          </div>
        </div>
        <div className={classes.pay}>
          <div className={classes.between}>
            <span className="caption dim">{texts.picture.plan}</span>
            <span className={classes.paid}>
              <CircleCheck size={15} />
              {texts.picture.paid}
            </span>
          </div>
          <div className={classes.between}>
            <span className={classes.amount}>₹1,499</span>
            <span className={classes.row}>
              <Download size={15} />
              <span className="caption soft">{texts.picture.invoice}</span>
            </span>
          </div>
        </div>
      </div>
    </section>
  );
}
