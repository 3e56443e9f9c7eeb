import { projectFolder } from '#platform/project-folder.ts';

/** Latin and Devanagari, then one font family per other Indian script that a name or an address may use. */
const families = ['', '-bengali', '-gujarati', '-gurmukhi', '-kannada', '-malayalam', '-oriya', '-tamil', '-telugu'];

/** The folders of the fonts of documents, in the two weights that they use. */
export const fontFolders: readonly string[] = families
  .map((family) => projectFolder('node_modules', '@expo-google-fonts', `noto-sans${family}`))
  .flatMap((folder) => [`${folder}/400Regular`, `${folder}/600SemiBold`]);
