const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 10)) {
  throw new Error(`svc-operator-kit needs Node 20.10 or later; this is Node ${process.versions.node}.`);
}
