package sonic

import schema "github.com/roceplan/roceplan/format/sonic"

// modelledTables are the tables that this reader gives a meaning.
var modelledTables = [...]string{
	schema.TableBreakout, schema.TableBufferPG, schema.TableBufferPool, schema.TableBufferPortEgress, schema.TableBufferPortIngress,
	schema.TableBufferProfile, schema.TableBufferQueue, schema.TableCableLength, schema.TableDefaultLossless,
	schema.TableDeviceMetadata, schema.TableDSCPToTC, schema.TableLosslessPattern, schema.TablePFCToQueue,
	schema.TablePFCToPG, schema.TablePFCWatchdog, schema.TablePort, schema.TablePortQoSMap, schema.TableQueue,
	schema.TableScheduler, schema.TableTCToDSCP, schema.TableTCToPG, schema.TableTCToQueue, schema.TableWREDProfile, schema.TableTrimming,
	schema.TableTunnel,
}
