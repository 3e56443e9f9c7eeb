import type { Product } from '#shared/contract/marketplace.ts';
import { daysText } from '#web/ui/cycle-days.ts';
import classes from '#web/features/marketplace/product-story.module.css';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import type { Activate } from '#web/features/marketplace/use-activate.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

interface ActivateNowProps {
  product: Product;
  activate: Activate;
  /** Is it still being found out whether the product is activated? */
  checking: boolean;
  activated: boolean;
}

/** Activates without choosing, and says which free plan begins, if one does (product §4.4). */
export function ActivateNow({ product, activate, checking, activated }: ActivateNowProps) {
  const label = checking
    ? texts.checking
    : activate.running === 'now'
      ? texts.activating
      : activated
        ? texts.alreadyActivated
        : texts.activateNow;
  return (
    <div className={classes.now}>
      <ActionButton
        call="activateProduct"
        variant="default"
        disabled={activated || activate.running !== null}
        running={checking || activate.running === 'now'}
        onClick={activate.now}
      >
        {label}
      </ActionButton>
      {activated ? null : (
        <span className="caption dim">
          {product.activateNow === null
            ? texts.activateNowBare
            : texts.activateNowStarts(product.activateNow.name, daysText(product.activateNow.maxDays))}
        </span>
      )}
    </div>
  );
}
