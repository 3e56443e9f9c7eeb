import { Skeleton } from '@mantine/core';
import classes from '#web/features/marketplace/product-page.module.css';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import panel from '#web/features/marketplace/plan-panel.module.css';

/** The shape of a product's page while it loads. */
export function ProductShape() {
  return (
    <div className={classes.columns}>
      <div className={classes.intro}>
        <Skeleton width={280} height={28} />
        <Skeleton height={12} mt={36} />
        <Skeleton height={12} mt={12} />
        <Skeleton width="70%" height={12} mt={12} />
      </div>
      <Skeleton className={classes.details ?? ''} height={220} radius={10} />
      <div className={`${classes.plans} ${panel.panel}`}>
        <div className={panel.title}>{texts.plans}</div>
        <div className={panel.plans}>
          <PlansShape />
        </div>
        <div className={panel.part}>
          <Skeleton height={44} />
        </div>
      </div>
    </div>
  );
}

/** The shape of the plans. */
export function PlansShape() {
  return <Skeleton height={260} radius={10} />;
}
