/** Invalid or missing variables. The message names each of them and its rule, never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
