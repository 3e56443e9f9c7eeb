import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Like {day}': 'जैसे {day}',
  'Previous month': 'पिछला महीना',
  'Next month': 'अगला महीना',
  'Previous year': 'पिछला साल',
  'Next year': 'अगला साल',
  'Previous ten years': 'पिछले दस साल',
  'Next ten years': 'अगले दस साल',
  'Choose a month': 'महीना चुनें',
  'Choose a year': 'साल चुनें',
};
