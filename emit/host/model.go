package host

// A family is NICs that are configured in the same way.
type family uint8

const (
	generic  family = iota // any NIC whose driver takes DCB from the kernel
	connectX               // NVIDIA: mlnx_qos, sysfs, mlxconfig
	broadcom               // Broadcom: niccli, configfs
)

// A model is a NIC by the name that fabric files give it.
type model struct {
	name   string
	family family
	// rtt reports whether it can run RTTCC: the NVIDIA forum on "Scaling Zero Touch RoCE
	// Technology with Round Trip Time Congestion Control" says that ConnectX-6 Dx and
	// later handle the probes in hardware, and ConnectX-4 does not.
	rtt bool
}

func models() []model {
	return []model{
		{"connectx-4", connectX, false},
		{"connectx-5", connectX, false},
		{"connectx-6", connectX, true},
		{"connectx-7", connectX, true},
		{"connectx-8", connectX, true},
		{"bluefield-2", connectX, true},
		{"bluefield-3", connectX, true},
		{"thor", broadcom, false},
		{"thor2", broadcom, false},
		{"other", generic, false},
	}
}

// modelOf returns the model of a name; an unknown name is configured by DCB alone.
func modelOf(name string) model {
	for _, m := range models() {
		if m.name == name {
			return m
		}
	}
	return model{name: name}
}
