/** A command with what it does. */
export type Command = { what: string; command: string };

const files = '--cacert ca.pem --cert client.pem --key client.key';

/** The first calls with curl, for the files that the certificates page speaks of. `machineApiUrl` ends with /v1. */
export function firstCallCommands({ machineApiUrl, developmentCa }: { machineApiUrl: string; developmentCa: boolean }): Command[] {
  const curl = developmentCa ? `curl ${files}` : 'curl --cert client.pem --key client.key';
  return [
    { what: 'Ask what you may do', command: `${curl} ${machineApiUrl}/capabilities` },
    { what: 'Pull the first page', command: `${curl} ${machineApiUrl}/sync` },
    {
      what: 'Pull the next page, with next_cursor from the last answer',
      command: `${curl} "${machineApiUrl}/sync?updated_since=NEXT_CURSOR"`,
    },
  ];
}
