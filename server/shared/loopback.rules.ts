/** True for the names and addresses that only this machine can reach, as they stand in HOST, in an address bar or in a Host header. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
