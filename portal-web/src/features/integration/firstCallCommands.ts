import { paths } from '../../paths.ts';

/** What a command is made from. `machineApiUrl` ends with /v1; `keyName` is the name of the certificate's files without their extension. */
export type CallFacts = { machineApiUrl: string; developmentCa: boolean; keyName: string };

/** A command with the kit and with curl. */
export type Commands = { readonly kit: string; readonly curl: string };

/**
 * curl with the client certificate and, on a development service, with that service's own certificate authority. The file names are those
 * of the downloads.
 */
export function curlWithCertificate({ developmentCa, keyName }: Omit<CallFacts, 'machineApiUrl'>): string {
  return `curl -sS ${developmentCa ? '--cacert ca.pem ' : ''}--cert ${keyName}.pem --key ${keyName}.key`;
}

type Portal = { portalUrl: string; developmentCa: boolean };

/** Saves the certificate authority of a development service as ca.pem, which the other commands read. Elsewhere no command is needed. */
export function fetchAuthority({ portalUrl, developmentCa }: Portal): readonly string[] {
  return developmentCa ? [`curl -sS -o ca.pem ${new URL(paths.developmentCa, portalUrl).href}`] : [];
}

type Kit = { readonly portalUrl: string; readonly kitVersion: string };

/** Installs the kit from the portal into the present folder, although one above it may belong to another project. */
export function installKit({ portalUrl, kitVersion }: Kit): string {
  return `npm install --prefix . ${new URL(paths.kit(kitVersion), portalUrl).href}`;
}

/** The file in which the commands keep the copy. */
export const copyFile = 'copy.sqlite';
export const syncWithKit = `npx svc sync --into ${copyFile}`;

/** What the kit keeps its copy with. Node says only once that is used that it has none. */
const nodeHasSqlite = `node -e 'require("node:sqlite")' 2>/dev/null || { echo 'Install Node 22.13 or later, or choose curl on the page.'; false; }`;

/** `slug`: the integration’s. */
type FirstCallFacts = CallFacts & Portal & Kit & { readonly environment: 'sandbox' | 'production'; readonly slug: string };

/** A folder for each environment of each integration: other integrations' keys have the same names, and the other environment's settings and copy. */
function folderOf({ slug, environment }: Pick<FirstCallFacts, 'slug' | 'environment'>): string {
  return environment === 'sandbox' ? slug : `${slug}-production`;
}

/**
 * What is pasted for the first calls: in the folder that holds key and certificate, or, while both are where browsers save files, anywhere, or
 * in the folder of the calls before.
 * `syncs`: whether a sync would be answered.
 */
export function firstCallCommands(facts: FirstCallFacts, syncs: boolean): Commands {
  const { keyName, machineApiUrl, portalUrl, developmentCa, environment } = facts;
  const folder = folderOf(facts);
  const curl = curlWithCertificate(facts);
  const files = [
    `[ -f ${keyName}.key ] || [ "\${PWD##*/}" = ${folder} ] || { mkdir -p ${folder} && cd ${folder}; }`,
    `[ -f ${keyName}.key ] || mv ~/Downloads/${keyName}.{key,pem} .`,
    `chmod 600 ${keyName}.key`,
  ];
  const prepared = [...files, ...fetchAuthority(facts)];
  const settings = [
    `--base-url ${machineApiUrl} --portal-url ${new URL(portalUrl).origin}`,
    `${environment === 'production' ? '--environment production ' : ''}--cert ${keyName}.pem --key ${keyName}.key${developmentCa ? ' --ca ca.pem' : ''}`,
  ];
  // Only a sync needs SQLite. Each only after the one before: without the kit, npx would offer a package of the same name that is not ours. What
  // a sync says is enough where it works; where something does not, the doctor says what.
  const kit = [
    ...(syncs ? [nodeHasSqlite] : []),
    installKit(facts),
    ['npx svc init', ...settings].join(' \\\n  '),
    syncs ? `{ ${syncWithKit} || npx svc doctor; }` : 'npx svc doctor',
  ];
  return {
    kit: [...prepared, kit.join(' &&\n')].join('\n'),
    curl: [
      ...prepared,
      `${curl} ${machineApiUrl}/capabilities && echo`,
      ...(syncs ? [`${curl} -o page.json ${machineApiUrl}/sync && ${showPage}`] : []),
    ].join('\n'),
  };
}

/** Shows what the page begins with: a whole one would push everything else out of the terminal. */
const showPage = 'head -c 500 page.json && echo';

/** Follows the cursor of the page that was saved last with curl. A refusal leaves that page, and with it the cursor. */
export function syncAgainWithCurl(facts: CallFacts): string {
  const followed = `-f -o page.json -G --data-urlencode "updated_since=$cursor" ${facts.machineApiUrl}/sync`;
  return [
    `cursor=$(grep -o '"next_cursor":"[^"]*' page.json | cut -d'"' -f4)`,
    `${curlWithCertificate(facts)} ${followed} && ${showPage}`,
  ].join('\n');
}
