import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Context } from './context.ts';

/** Prints what has a machine renew the certificate by itself: units for systemd, or a line for cron. Writes nothing. */
export async function printTimer(context: Context): Promise<void> {
  await context.settings();
  const words = [process.execPath, fileURLToPath(new URL('svc.js', import.meta.url)), 'renew'];
  const unit = (text: string) => text.replaceAll('%', '%%');
  const service = `[Unit]
Description=Renews the client certificate when it is due
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
User=${userInfo().username}
WorkingDirectory=${unit(context.folder)}
ExecStart=${words.map((word) => `"${unit(word).replaceAll(/["\\$]/g, (each) => (each === '$' ? '$$' : `\\${each}`))}"`).join(' ')}
`;
  const timer = `[Unit]
Description=Asks every hour whether the client certificate is due for renewal

[Timer]
OnCalendar=hourly
RandomizedDelaySec=15min
Persistent=true

[Install]
WantedBy=timers.target
`;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const cron = `17 * * * * ${`cd ${quoted(context.folder)} && ${words.map(quoted).join(' ')}`.replaceAll('%', '\\%')}`;
  context.print(
    { service, timer, cron },
    `# /etc/systemd/system/svc-renew.service\n${service}\n# /etc/systemd/system/svc-renew.timer\n${timer}
# Then: systemctl enable --now svc-renew.timer

# Or, where there is no systemd, this line in \`crontab -e\`:\n${cron}`,
  );
}
