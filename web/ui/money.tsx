import { Text, type TextProps } from '@mantine/core';
import { moneyText, priceText } from '#web/ui/money-text.ts';

/** An amount in rupees, in tabular numerals. `price`: nothing to pay reads FREE (product §6.1). */
export function Money({ rupees, price = false, ...text }: { rupees: number; price?: boolean } & TextProps) {
  return (
    <Text span inherit {...text} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {price ? priceText(rupees) : moneyText(rupees)}
    </Text>
  );
}
