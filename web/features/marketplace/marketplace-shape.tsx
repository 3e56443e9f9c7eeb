import { Skeleton } from '@mantine/core';
import classes from '#web/features/marketplace/marketplace-shape.module.css';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import grid from '#web/ui/grid.module.css';

/** The shape of the marketplace while it loads. */
export function MarketplaceShape() {
  return (
    <>
      <div className={classes.title}>{texts.myActivations}</div>
      <div className={grid.two}>
        <ActivationShape />
        <ActivationShape />
      </div>
      <div className={classes.divider}>{texts.moreForYou}</div>
      <div className={grid.two}>
        <ProductShape />
        <ProductShape />
      </div>
    </>
  );
}

function ActivationShape() {
  return (
    <div className={classes.card}>
      <div className={classes.body}>
        <div className={classes.row}>
          <Skeleton width={40} height={40} radius={10} />
          <div className={classes.words}>
            <Skeleton width="48%" height={14} />
            <Skeleton width="34%" height={10} mt={9} />
          </div>
          <Skeleton width={84} height={22} />
        </div>
        <Skeleton width="24%" height={10} mt={30} />
        <Skeleton height={6} mt={12} />
      </div>
      <div className={classes.foot}>
        <Skeleton width={110} height={12} />
      </div>
    </div>
  );
}

function ProductShape() {
  return (
    <div className={classes.card}>
      <Skeleton height={164} radius={0} />
      <div className={classes.body}>
        <Skeleton width="26%" height={14} />
        <Skeleton width="92%" height={10} mt={16} />
        <Skeleton width="58%" height={10} mt={10} />
        <Skeleton width="40%" height={10} mt={27} />
      </div>
    </div>
  );
}
