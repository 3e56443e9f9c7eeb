import { Command } from 'commander';
import { commandFor, makes } from '#cli/operator.ts';
import {
  applyCatalog,
  draftProduct,
  listCatalogVersions,
  readCatalogVersion,
  revertCatalog,
} from '#shared/contract/operator/catalog.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readCatalogDir } from '#server/config.ts';
import { checkCatalog } from './check.ts';
import { diffCatalogs } from './diff.ts';
import { importProduct } from './import.ts';
import { setFields } from './set.ts';
import { applyFolder, revertTo, showHistory, showVersion } from './versions.ts';

const asJson = ['--json', 'print the result as JSON'] as const;

/** `octroi catalog …`: products for sale. */
export function catalogCommands(): Command {
  const catalog = new Command('catalog').description('Products for sale: import, set, check, compare, apply.');
  catalog.hook('preAction', (_, command) => setCatalogFolder(command));
  makes(draftProduct, catalog.command('import <openapi>'))
    .description('Make a product from an OpenAPI 3.0, 3.1 or 3.2 document: a file or an address, JSON or YAML.')
    .option('--folder <folder>', 'folder of the catalogue; default: CATALOG_DIR')
    .option('--id <id>', "the product's id; default: from the document's title")
    .option('--upstream <url>', "address of the API; default: the document's first server")
    .option(
      '--replace',
      'replace the document of a product that was imported before; what was decided in its file stays, and what differs is left to do',
    )
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
    .command('set <product> <field=value...>')
    .description(
      'Change fields of a product file; an empty value removes a field. Comments stay, and a change with a fault is not kept.',
    )
    .option('--folder <folder>', 'folder of the catalogue; default: CATALOG_DIR')
    .option(...asJson)
    .addHelpText(
      'after',
      `
Examples:
  octroi catalog set weather plans.starter.price=999 plans.starter.dailyQuota=5000
  octroi catalog set weather 'tagline=Rain and sun' 'gateway.credentials.0.value={ file: weather-key }'`,
    )
    .action(setFields);
  catalog
    .command('check')
    .description('Check all products. Lists every fault with file and line; exits with 3 if there is one.')
    .option('--folder <folder>', 'folder of the catalogue; default: CATALOG_DIR')
    .option(...asJson)
    .addHelpText('after', '\nExample:\n  octroi catalog check')
    .action(checkCatalog);
  catalog
    .command('diff [folder]')
    .description(
      'Show what the files in CATALOG_DIR would change of what is on sale, and for whom; or, with a folder, what that one would change.',
    )
    .option('--from <folder>', 'folder of the catalogue in use; default: CATALOG_DIR')
    .option('--running', 'compare with the version in effect in the portals and gateways')
    .option(...asJson)
    .addHelpText(
      'after',
      '\nExamples:\n  octroi catalog diff\n  octroi catalog diff ../new-prices\n  octroi catalog diff ../new-prices --running',
    )
    .action(diffCatalogs);
  addVersions(catalog);
  return catalog;
}

/** A folder that was not given is that of the portal. Settings are read when a command runs: those of `.env` are not known before. */
function setCatalogFolder(command: Command): void {
  const missing = command.options
    .map((option) => option.attributeName())
    .filter((name) => ['folder', 'from'].includes(name) && command.getOptionValue(name) === undefined);
  if (missing.length === 0) return;
  loadEnvFile();
  const folder = readCatalogDir({ env: process.env });
  for (const name of missing) command.setOptionValue(name, folder);
}

/** What is for sale now, and what was. */
function addVersions(catalog: Command): void {
  commandFor(applyCatalog, catalog.command('apply'))
    .description(
      'Put the catalogue of a folder into effect in all running portals and gateways, after showing what changes for whom.',
    )
    .option('--folder <folder>', 'folder of the catalogue; default: CATALOG_DIR')
    .addHelpText(
      'after',
      `
Examples:
  octroi catalog apply --reason "Prices of 2027" --dry-run
  octroi catalog apply --reason "Prices of 2027" --yes`,
    )
    .action(applyFolder);
  commandFor(listCatalogVersions, catalog.command('history'))
    .description('List every version of the catalogue with its time, author and reason.')
    .addHelpText('after', '\nExample:\n  octroi catalog history')
    .action(showHistory);
  commandFor(readCatalogVersion, catalog.command('show <version>'))
    .description('Show the files of a version, or write them into a folder.')
    .option('--to <folder>', 'write its files there')
    .addHelpText('after', '\nExample:\n  octroi catalog show 3 --to ../catalog-of-version-3')
    .action(showVersion);
  commandFor(revertCatalog, catalog.command('revert <version>'))
    .description('Put an earlier version into effect again, as a new version.')
    .addHelpText('after', '\nExample:\n  octroi catalog revert 3 --reason "Wrong price in version 4"')
    .action(revertTo);
}
