import { expect, type FrameLocator, type Locator } from '@playwright/test';
import { pressInCheckout } from './customer.ts';

/** Counts what a person presses: every click, and the click into a field that does not have the focus already. */
export class Presses {
  count = 0;

  async click(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }

  async inCheckout(sheet: FrameLocator, name: string): Promise<void> {
    this.count += 1;
    await pressInCheckout(sheet, name);
  }

  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeVisible();
    const isFocused = await field.evaluate((element) => element === element.ownerDocument.activeElement);
    if (!isFocused) await this.click(field);
    await field.pressSequentially(text);
  }

  /** A list that opens, and the choice in it. */
  async choose(list: Locator, value: string): Promise<void> {
    this.count += 2;
    await list.selectOption(value);
  }
}
