import { defaultMaxDays } from '#shared/domain/plan.ts';
import type { Translation } from './catalog-texts.ts';

interface Quotas {
  dailyQuota: number;
  monthlyQuota: number;
  maxDays: number;
  rps: number;
}

/** A benefit of a plan that says one of its numbers, in both languages. */
interface QuotaBenefit {
  key: string;
  value: string;
  display: string;
  translations: Pick<Translation, 'language' | 'english' | 'translated'>[];
}

const number = new Intl.NumberFormat('en-IN');

/** What a plan's card lists unless its file has benefits of its own: quotas and calls per second. */
export function quotaBenefits({ dailyQuota, monthlyQuota, maxDays, rps }: Quotas): QuotaBenefit[] {
  const [daily, monthly] = [number.format(dailyQuota), number.format(monthlyQuota)];
  const isMonth = maxDays === defaultMaxDays;
  return [
    benefit('daily', dailyQuota, `${daily} requests per day`, `प्रतिदिन ${daily} अनुरोध`),
    benefit(
      'monthly',
      monthlyQuota,
      isMonth ? `${monthly} per month` : `${monthly} in ${maxDays} days`,
      isMonth ? `प्रति माह ${monthly}` : `${maxDays} दिनों में ${monthly}`,
    ),
    benefit('rps', rps, `${rps} requests per second`, `प्रति सेकंड ${rps} अनुरोध`),
  ];
}

function benefit(key: string, value: number, display: string, translated: string): QuotaBenefit {
  return { key, value: String(value), display, translations: [{ language: 'hi', english: display, translated }] };
}
