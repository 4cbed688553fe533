package agent

// Run is one execution of an agent, as the function that does the work sees it.
type Run struct {
	agentName string
}

// NewRun returns a run of the agent with the name.
func NewRun(agentName string) *Run { return &Run{agentName: agentName} }

// AgentName is the name of the agent that runs.
func (r *Run) AgentName() string { return r.agentName }
