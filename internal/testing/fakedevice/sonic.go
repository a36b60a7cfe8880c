package fakedevice

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/roceplan/roceplan/patch"
)

// Sonic is a switch with SONiC. Commands are run by a real shell, with sudo, config, sonic-db-cli, ecnconfig, mmuconfig
// and sonic-cfggen of its own. Their database is a real Redis, and they behave as those of sonic-utilities
// (config/main.py: apply-patch, checkpoint, rollback, delete-checkpoint, load, save; scripts/ecnconfig;
// scripts/mmuconfig). The updater refuses the fields of patch.Refusals for the release, which a test of package patch
// holds against gcu_field_operation_validators.conf.json of each release.
type Sonic struct {
	// Cages are the ports that each breakout mode of a cage makes, "Ethernet8 1x100G", as
	// platform.json of the box has them: rows of PORT by name.
	Cages map[string]map[string]map[string]any

	release, hwsku string
	shell
	history

	lock        sync.Mutex
	db          database
	running     ConfigDB // what the database has
	saved       ConfigDB
	checkpoints map[string]ConfigDB
	refuse      bool
	gone        bool   // the test has ended
	edited      string // the row that was edited by hand
	was         any
}

// NewSonic is a switch that runs a configuration.
func NewSonic(t testing.TB, config []byte, release string) *Sonic {
	t.Helper()
	s := &Sonic{release: release, shell: newShell(t, "config", "sonic-db-cli", "ecnconfig", "mmuconfig"), checkpoints: map[string]ConfigDB{}}
	var free func()
	s.db, free = newDatabase(t)
	t.Cleanup(func() { // a killed client leaves scripts behind
		s.lock.Lock()
		defer s.lock.Unlock()
		s.gone = true
		free()
	})
	s.saved = parseDB(t, config)
	s.hwsku, _ = s.saved["DEVICE_METADATA"]["localhost"]["hwsku"].(string)
	s.program("sonic-cfggen", "#!/bin/sh\ncat \"$FAKE/running.json\"\n")
	s.become(s.saved)
	return s
}

// become changes what runs.
func (s *Sonic) become(db ConfigDB) {
	s.db.become(s.running, db)
	s.note()
}

// note reads what runs, for sonic-cfggen and for tests.
func (s *Sonic) note() {
	s.running = s.db.read()
	text := s.running.text()
	s.pass(text)
	check(s.t, os.WriteFile(filepath.Join(s.folder, "running.json"), text, 0o666))
}

// Running returns the output of sonic-cfggen -d --print-data.
func (s *Sonic) Running() []byte {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.running.text()
}

// Save is config save -y.
func (s *Sonic) Save() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.saved = s.running
}

// Restart loads /etc/sonic/config_db.json.
func (s *Sonic) Restart() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.become(s.saved)
}

// Edit changes the headroom of a priority group by hand.
func (s *Sonic) Edit() {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.running["BUFFER_PG"])) {
		name, _ := s.running["BUFFER_PG"][key]["profile"].(string)
		if row := s.running["BUFFER_PROFILE"][name]; row["xoff"] != nil {
			s.edited, s.was = name, row["xoff"]
			s.db.put("BUFFER_PROFILE", name, "xoff", "4242")
			s.note()
			return
		}
	}
}

// Unedit takes the edit back where it is still there, also where it was saved.
func (s *Sonic) Unedit() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.running["BUFFER_PROFILE"][s.edited]["xoff"] == "4242" {
		s.db.put("BUFFER_PROFILE", s.edited, "xoff", s.was)
		s.note()
	}
	if s.saved["BUFFER_PROFILE"][s.edited]["xoff"] == "4242" {
		s.saved = parseDB(s.t, s.saved.text()) // checkpoints keep theirs
		s.saved["BUFFER_PROFILE"][s.edited]["xoff"] = s.was
	}
}

// RefuseNext lets the first command of the next message that changes something fail.
func (s *Sonic) RefuseNext() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.refuse = true
}

// Subsystem serves none.
func (s *Sonic) Subsystem(string, io.ReadWriter, func(func() string) (string, bool)) bool {
	return false
}

// Exec runs a command line by a shell.
func (s *Sonic) Exec(command, input string) (output, errors string, code int) {
	if command == "sudo -n sonic-cfggen -d --print-data" {
		return string(s.Running()), "", 0 // most messages are this, and a shell takes its time
	}
	output, errors, code = s.exec(command, input, s.run)
	s.lock.Lock()
	s.refuse = false
	s.lock.Unlock()
	return output, errors, code
}

// run is a command of SONiC in a folder.
func (s *Sonic) run(folder string, words []string) (reply string, code int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	command := strings.Join(words[:min(2, len(words))], " ")
	file := func(name string) string { return filepath.Join(folder, name) }
	var err error
	switch {
	case s.gone:
		err = refuse("the switch is off")
	case s.refuse && !slices.Contains([]string{"config checkpoint", "config delete-checkpoint", "config rollback"}, command) && words[min(2, len(words)-1)] != "HGET":
		s.refuse = false
		err = refuse("Error: the command was refused")
	case command == "config apply-patch":
		err = s.patch(file(words[2]))
	case command == "config checkpoint":
		s.checkpoints[words[2]] = s.running
	case command == "config rollback" || command == "config delete-checkpoint":
		point, ok := s.checkpoints[words[2]]
		switch {
		case !ok:
			err = refuse("Checkpoint '%s' does not exist", words[2])
		case command == "config rollback":
			s.become(point)
		default:
			delete(s.checkpoints, words[2])
		}
	case command == "config load" && words[2] == "-y":
		err = s.load(file(words[3]))
	case command == "config interface" && words[2] == "breakout":
		err = s.breakout(words[3], words[4])
	case command == "config save" && words[2] == "-y":
		s.saved = s.running
	case command == "sonic-db-cli CONFIG_DB":
		if reply, err = s.db.cli(words[2:]); words[2] != "HGET" {
			s.note()
		}
	case command == "ecnconfig -p":
		err = s.set("WRED_PROFILE", words[2:], map[string]string{"-gmin": "green_min_threshold", "-gmax": "green_max_threshold", "-gdrop": "green_drop_probability"})
	case command == "mmuconfig -p":
		err = s.set("BUFFER_PROFILE", words[2:], map[string]string{"-a": "dynamic_th", "-s": "static_th"})
	default:
		err = refuse("Error: No such command %q", words)
	}
	if err != nil {
		return err.Error() + "\n", 1
	}
	return reply, 0
}

// patch returns the generic updater: all of a patch, or nothing.
func (s *Sonic) patch(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var ops []patch.Operation
	if err := json.Unmarshal(text, &ops); err != nil {
		return err
	}
	if refused := patch.Refusals(s.release, s.hwsku, ops); len(refused) > 0 {
		return refuse("Error: Modification of %v is illegal", refused)
	}
	decoded, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return err
	}
	after, err := decoded.Apply(s.running.text())
	if err != nil {
		return err
	}
	s.become(parseDB(s.t, after))
	return nil
}

// load is sonic-cfggen --write-to-db: fields of the file are set in their rows, and nothing is removed.
func (s *Sonic) load(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var more ConfigDB
	if err := json.Unmarshal(text, &more); err != nil {
		return err
	}
	for table, rows := range more {
		for key, row := range rows {
			for field, value := range row {
				s.db.put(table, key, field, value)
			}
			if len(row) == 0 && s.running[table][key] == nil {
				s.db.set(table, key, row)
			}
		}
	}
	s.note()
	return nil
}

// breakout is config interface breakout CAGE MODE (config/main.py, breakout): the ports of the cage
// are removed, and those of the mode are added without an admin_status. Ports that others depend on
// are not removed.
func (s *Sonic) breakout(cage, mode string) error {
	ports, ok := s.Cages[cage+" "+mode]
	if !ok {
		return fmt.Errorf("[ERROR] Target mode %s is not available for the port %s", mode, cage)
	}
	for way, others := range s.Cages {
		for name := range others {
			if strings.HasPrefix(way, cage+" ") && s.running["PORT"][name] != nil {
				if s.running["PORT_QOS_MAP"][name] != nil {
					return fmt.Errorf("[ERROR] Port %s has dependencies", name)
				}
				s.db.do("DEL", "PORT|"+name)
			}
		}
	}
	for name, row := range ports {
		for field, value := range row {
			s.db.put("PORT", name, field, value)
		}
	}
	s.db.put("BREAKOUT_CFG", cage, "brkout_mode", mode)
	s.note()
	return nil
}

// set changes a field of a profile that is there.
func (s *Sonic) set(table string, words []string, flags map[string]string) error {
	field := flags[words[1]]
	if _, ok := s.running[table][words[0]][field]; !ok {
		return fmt.Errorf("%s of %s is not there", words[1], words[0])
	}
	s.db.put(table, words[0], field, words[2])
	s.note()
	return nil
}
