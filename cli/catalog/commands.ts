import { Command } from 'commander';
import { projectFolder } from '#platform/project-folder.ts';
import { checkCatalog } from './check.ts';
import { diffCatalogs } from './diff.ts';
import { importProduct } from './import.ts';

const defaultFolder = (): string => process.env['CATALOG_DIR'] ?? projectFolder('catalog');
const asJson = ['--json', 'print the result as JSON'] as const;

/** `octroi catalog …`: products for sale. */
export function catalogCommands(): Command {
  const catalog = new Command('catalog').description('Products for sale: import, check, compare.');
  catalog
    .command('import <openapi>')
    .description('Make a product from an OpenAPI 3.0 or 3.1 document: a file or an address, JSON or YAML.')
    .option('--folder <folder>', 'folder of the catalogue', defaultFolder())
    .option('--id <id>', "the product's id; default: from the document's title")
    .option('--upstream <url>', "address of the API; default: the document's first server")
    .option('--replace', 'replace the files of a product that was imported before')
    .option(...asJson)
    .addHelpText(
      'after',
      `
Examples:
  octroi catalog import weather.yaml
  octroi catalog import https://api.example.com/openapi.json --upstream http://10.0.0.5:8080 --id weather`,
    )
    .action(importProduct);
  catalog
    .command('check')
    .description('Check all products. Lists every fault with file and line; exits with 3 if there is one.')
    .option('--folder <folder>', 'folder of the catalogue', defaultFolder())
    .option(...asJson)
    .addHelpText('after', '\nExample:\n  octroi catalog check')
    .action(checkCatalog);
  catalog
    .command('diff <folder>')
    .description('Show what the catalogue in another folder would change, and for whom.')
    .option('--from <folder>', 'folder of the catalogue in use', defaultFolder())
    .option(...asJson)
    .addHelpText('after', '\nExample:\n  octroi catalog diff ../new-prices')
    .action(diffCatalogs);
  return catalog;
}
