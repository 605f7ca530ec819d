/** A command with what it does. */
export type Command = { what: string; command: string };

/** curl with the client certificate, and on a development service with its own authority, by the names of the downloaded files. */
export function curlWithCertificate({ developmentCa }: { developmentCa: boolean }): string {
  return developmentCa ? 'curl --cacert ca.pem --cert client.pem --key client.key' : 'curl --cert client.pem --key client.key';
}

/** The first calls with curl, for the files that the certificates page speaks of. `machineApiUrl` ends with /v1. */
export function firstCallCommands({ machineApiUrl, developmentCa }: { machineApiUrl: string; developmentCa: boolean }): Command[] {
  const curl = curlWithCertificate({ developmentCa });
  return [
    { what: 'Ask what you may do', command: `${curl} ${machineApiUrl}/capabilities` },
    { what: 'Get the first page', command: `${curl} ${machineApiUrl}/sync` },
    {
      what: 'Get the next page, with next_cursor from the previous response',
      command: `${curl} "${machineApiUrl}/sync?updated_since=NEXT_CURSOR"`,
    },
  ];
}
