import { projectFolder } from '#shared/platform/project-folder.ts';

interface FontFamily {
  name: string;
  /** Its files, in the two weights that documents use. */
  folders: readonly string[];
}

const family = (name: string): FontFamily => {
  const folder = projectFolder('node_modules', '@expo-google-fonts', name.toLowerCase().replaceAll(' ', '-'));
  return { name, folders: [`${folder}/400Regular`, `${folder}/600SemiBold`] };
};

/**
 * The fonts of documents: Latin, Greek, Cyrillic and Devanagari, then a family for each other script of the scheduled languages of India.
 * A character is drawn in the first family that has it.
 */
export const fontFamilies: readonly FontFamily[] = [
  'Noto Sans',
  'Noto Sans Bengali',
  'Noto Sans Gujarati',
  'Noto Sans Gurmukhi',
  'Noto Sans Kannada',
  'Noto Sans Malayalam',
  'Noto Sans Meetei Mayek',
  'Noto Sans Ol Chiki',
  'Noto Sans Oriya',
  'Noto Sans Tamil',
  'Noto Sans Telugu',
  // Urdu, Kashmiri and Sindhi.
  'Noto Naskh Arabic',
].map(family);

export const fontFolders: readonly string[] = fontFamilies.flatMap(({ folders }) => folders);
