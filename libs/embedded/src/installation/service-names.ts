export const serviceNames = ['auth', 'directory', 'provisioning', 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];
